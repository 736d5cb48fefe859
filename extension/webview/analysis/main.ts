import "../page/page.css";
import "../page/charts.css";
import "./analysis.css";
import "../roofline/roofline.css";
import "../summary/summary.css";
import "../tables/tables.css";
import "../flame/flame.css";

import { editorHost } from "../page/host";
import { App } from "./app";

new App(document.body, editorHost()).start();
