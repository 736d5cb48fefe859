// The environment variables that the server's own Python is started with.

/** They would let another Python's modules, or another Python, into the server's. */
const LEAKING = [
  "PYTHONHOME",
  "PYTHONPATH",
  "PYTHONSTARTUP",
  "PYTHONUSERBASE",
  "VIRTUAL_ENV",
  "CONDA_PREFIX",
  "__PYVENV_LAUNCHER__",
];

/** The variables without those that must not reach the server's own Python. */
export function withoutPythonLeaks(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isLeaking = (name: string): boolean => LEAKING.includes(name.toUpperCase());
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !isLeaking(name)));
}
