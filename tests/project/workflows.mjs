// Reads workflows and an action as GitHub itself does, and prints what it finds wrong, a line each.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, ...files] = process.argv.slice(2);
// The package is made for bundlers, which take JSON without being told that it is.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const load = (name) => import(pathToFileURL(packages + "/node_modules/@actions/workflow-parser/dist/" + name).href);
const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } = await load("index.js");
const actions = await load("actions/action-parser.js");

for (const name of files) {
  const file = { name, content: readFileSync(name, "utf8") };
  const isAction = name.endsWith("action.yml");
  const parsed = isAction
    ? actions.parseAction(file, new NoOperationTraceWriter())
    : parseWorkflow(file, new NoOperationTraceWriter());
  if (!isAction && parsed.value) await convertWorkflowTemplate(parsed.context, parsed.value);
  for (const error of parsed.context.errors.getErrors()) console.log(`${name}: ${error.rawMessage ?? error.message}`);
}
