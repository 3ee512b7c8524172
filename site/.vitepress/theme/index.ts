// The usual theme, with colours that can be read.
import theme from "vitepress/theme";
import "./style.css";

export default theme;
