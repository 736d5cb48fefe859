import "../page/page.css";
import "./timeline.css";

import { App } from "./app";
import { editorHost } from "../page/host";

new App(document.body, editorHost()).start();
