import "./timeline.css";

import { App } from "./app";
import { editorHost } from "./host";

new App(document.body, editorHost()).start();
