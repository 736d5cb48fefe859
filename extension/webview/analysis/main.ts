import "../page/page.css";
import "./analysis.css";
import "../roofline/roofline.css";
import "../tables/tables.css";
import "../flame/flame.css";

import { editorHost } from "../page/host";
import { App } from "./app";

new App(document.body, editorHost()).start();
