import "../page/page.css";
import "./analysis.css";

import { editorHost } from "../page/host";
import { App } from "./app";

new App(document.body, editorHost()).start();
