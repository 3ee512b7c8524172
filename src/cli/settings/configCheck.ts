import configSchema from "../../../schemas/config.json" with { type: "json" };
import { compile } from "../../schema/compile.js";

/** The check of a project file. */
export const checkConfig = compile(configSchema, "remit.yaml");
