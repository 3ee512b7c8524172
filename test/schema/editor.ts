import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type CompletionItem,
  type CompletionList,
  CompletionRequest,
  ConfigurationRequest,
  createProtocolConnection,
  type Diagnostic,
  DidChangeConfigurationNotification,
  DidOpenTextDocumentNotification,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type MarkupContent,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

/** An editor that knows YAML by the real language server. */
export interface Editor {
  /** The problems it underlines in a text. */
  underlines(text: string): Promise<readonly Diagnostic[]>;
  /** What it shows over the place marked `▮`. */
  hover(text: string): Promise<string>;
  /** What it offers at the place marked `▮`. */
  offers(text: string): Promise<readonly CompletionItem[]>;
  close(): Promise<void>;
}

const SETTINGS = {
  yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } },
};

/** Starts the server as an editor does, with the settings of a folder, and speaks its protocol over standard input and output. */
export async function openEditor(folder = "/", settings: object = {}): Promise<Editor> {
  const bin = createRequire(import.meta.url).resolve("yaml-language-server/bin/yaml-language-server");
  const server = spawn(process.execPath, [bin, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  const waiting = new Map<string, (found: readonly Diagnostic[]) => void>();
  connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    waiting.get(uri)?.(diagnostics);
  });
  let asked: () => void = () => undefined;
  const isConfigured = new Promise<void>((resolve) => {
    asked = resolve;
  });
  // The server asks for its settings.
  connection.onRequest(ConfigurationRequest.type, ({ items }) => {
    asked();
    return items.map(({ section }) => (section === "yaml" ? { ...SETTINGS.yaml, ...settings } : null));
  });
  connection.listen();
  await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "project" }],
    capabilities: {
      workspace: { configuration: true },
      textDocument: {
        completion: { completionItem: { snippetSupport: true } },
        hover: { contentFormat: ["markdown"] },
      },
    },
  });
  await connection.sendNotification(InitializedNotification.type, {});
  await connection.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  await isConfigured;

  let count = 0;
  const open = async (marked: string) => {
    count += 1;
    const uri = pathToFileURL(join(folder, `manifests/${count}.yaml`)).href;
    const at = marked.indexOf("▮");
    const text = marked.replace("▮", "");
    const found = new Promise<readonly Diagnostic[]>((resolve) => waiting.set(uri, resolve));
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    const before = text.slice(0, Math.max(at, 0)).split("\n");
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return { found, request: { textDocument: { uri }, position } };
  };

  return {
    underlines: async (text) => (await open(text)).found,
    hover: async (text) =>
      wordsOf(await connection.sendRequest(HoverRequest.type, (await open(text)).request)),
    offers: async (text) =>
      itemsOf(await connection.sendRequest(CompletionRequest.type, (await open(text)).request)),
    close: async () => {
      await connection.sendRequest(ShutdownRequest.type);
      connection.dispose();
      server.kill();
    },
  };
}

function wordsOf(hover: Hover | null): string {
  return (hover?.contents as MarkupContent | undefined)?.value ?? "";
}

function itemsOf(answer: CompletionList | readonly CompletionItem[] | null): readonly CompletionItem[] {
  return answer === null ? [] : "items" in answer ? answer.items : answer;
}
