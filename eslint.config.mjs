import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "node_modules/",
      ".venv/",
      "extension/src/{protocol,documents}.ts",
      "**/*.mjs",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          "extension/tsconfig.json",
          "extension/webview/tsconfig.json",
          "tests/tsconfig.json",
        ],
      },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      eqeqeq: "error",
    },
  },
  {
    // What draws knows nothing of the editor; what the editor's shell does is no page's business.
    files: ["extension/webview/**"],
    rules: {
      "no-restricted-imports": ["error", { paths: ["vscode"], patterns: ["node:*"] }],
    },
  },
  {
    // Texts that others have written become links in notifications: messages.ts sees to it.
    files: ["extension/src/**"],
    ignores: ["extension/src/messages.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            ":matches(MemberExpression, ObjectPattern > Property) > Identifier[name=/^(show(Error|Warning|Information)Message|withProgress)$/]",
          message: "Notifications go through messages.ts.",
        },
      ],
    },
  },
  prettier,
);
