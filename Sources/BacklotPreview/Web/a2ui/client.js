// The client: the surfaces, the steps of people, and the messages in both directions.

import { follow } from "../core/events.js";
import { Evaluator, mapped } from "./evaluator.js";
import { expect } from "./functions.js";
import { Surfaces, isOne, messagesIn, modelsOf } from "./surfaces.js";

const [LIST, STREAM] = ["application/a2ui+json, application/json;q=0.9", "text/event-stream"];
/** The limits of the journal and of reported errors. */
const [MOST, MOST_ERRORS] = [500, 100];

const entry = (isOwn) => (message) => ({ time: new Date(), isOwn, message });

export class Client {
  constructor(host) {
    // `local` has what only this client knows, such as chosen tabs, `journal` the messages: `{time, isOwn, message}`, and `calls` the
    // outcomes of calls to the server, and the calls by their ids.
    Object.assign(this, { host, path: location.pathname + location.search, local: new Map(), journal: [], calls: new Map(), sending: Promise.resolve(), onChange: () => {} });
    this.begin();
  }

  /** Begins with the surfaces of some messages. `surfaces` are those on the screen: the `live` ones, or those that somebody writes in the editor. */
  begin(messages = []) {
    this.live = this.surfaces = new Surfaces(this);
    Object.assign(this, { error: null, findings: [], reported: new Set() });
    this.live.apply(messages);
  }

  /** Begins anew, or at an earlier state: the server stays where it is. */
  restart(state) {
    Object.assign(this, { local: new Map(state?.local), modal: undefined });
    this.host.clearSteps();
    return state ? this.say(this.begin(state.messages)) : this.load();
  }

  /** Asks for the surfaces, and listens for what the server starts. Values that people gave on `former` surfaces stay. */
  async load(former = null) {
    this.stop?.abort();
    const { signal } = (this.stop = new AbortController());
    this.setBusy(true);
    const response = await this.host.send({ method: "GET", url: this.path, note: "surfaces", headers: { Accept: LIST }, signal });
    if (signal.aborted) return;
    this.begin();
    this.error = this.attempt(() => this.take(messagesFrom(response), former));
    if (this.error) this.say();
    this.setBusy(false);
    const listen = (more) => this.host.send({ method: "GET", url: this.host.basePath, note: "updates", isBackground: true, ...more, headers: { Accept: STREAM, ...more.headers } });
    // A stream begins with the surfaces that the client has.
    if (!this.error) follow(listen, signal, (events) => this.attempt(() => this.take(events.flatMap(messagesOfEvent), { all: new Map(this.live.all) })));
  }

  /** Does something, and explains what goes wrong; null for nothing. */
  attempt(body) {
    try {
      return void body() ?? null;
    } catch ({ message }) {
      return this.host.problem(message) ?? message;
    }
  }

  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.onChange();
  }

  /** Takes messages of the server. */
  async take(messages, former) {
    if (messages.length === 0) return this.onChange();
    this.journal = [...this.journal, ...messages.map(entry(false))].slice(-MOST);
    const errors = this.live.apply(messages);
    if (former) this.live.keep(former);
    this.report(errors);
    this.say();
    const { text } = this.host.view;
    const findings = (await this.host.inspect(this.path, text)) ?? [];
    if (this.host.view.text === text) this.host.shown({ findings: (this.findings = findings) });
  }

  /** Tells the view inside what is shown. */
  say() {
    const { path, findings, surfaces } = this;
    const document = surfaces.draft ?? surfaces.document();
    this.title = [...new Set([...surfaces.all.values()].map(({ id, creation }) => creation.theme?.agentDisplayName ?? id))].join(", ") || path;
    this.onChange();
    this.host.shown({ path, title: this.title, document, text: JSON.stringify(document), findings, stack: [{ path, title: this.title }], variables: modelsOf(surfaces), inputs: [] });
  }

  /** Shows messages that somebody writes, or a mock file with a surface. */
  draft(document) {
    const { version = "v0.9", components, model: dataModel } = document ?? {};
    const messages = components ? [{ version, createSurface: { surfaceId: this.live.all.keys().next().value ?? "draft", components, dataModel } }] : messagesIn(document);
    const drafted = Object.assign(new Surfaces(this), { draft: components ? { messages } : document });
    const [error] = drafted.apply(messages, Array.isArray(document) ? "" : "/messages");
    expect(drafted.all.keys().next().value, error?.message ?? "The messages create no surface.");
    Object.assign(this, { surfaces: drafted, findings: [] });
    this.say();
    return { path: this.path, take: (findings) => this.surfaces === drafted && this.host.shown({ findings }) };
  }

  /** Writes what a person gave. */
  write(surface, path, value) {
    this.attempt(() => surface.set(path, value));
    this.onChange();
    this.host.view.variables = modelsOf(this.surfaces);
    this.host.dispatchEvent(new Event("variables"));
  }

  /** Taps a button. The values of its action are those of now. */
  tap({ surface, scope, id, json }) {
    const [evaluator, { id: surfaceId, version }, { event, functionCall }] = [new Evaluator(surface, scope), surface, json.action ?? {}];
    if (event) {
      const context = mapped(event.context ?? {}, (value) => evaluator.value(value));
      this.send({ version, action: { name: event.name, surfaceId, sourceComponentId: id, timestamp: new Date().toISOString(), context, userMessage: event.userMessage && evaluator.text(event.userMessage) } });
    } else evaluator.value(functionCall);
    for (const url of evaluator.opened) this.host.open(url);
    this.report(evaluator.errors);
  }

  /** Calls a function of the server, of 1.0: undefined until its outcome has come. */
  callServer({ id: surfaceId, version }, name, args, catalogId) {
    const key = JSON.stringify([surfaceId, name, args]);
    if (!this.calls.has(key)) {
      const functionCallId = `call_${this.calls.size}`;
      this.calls.set(key, {}).set(functionCallId, key);
      this.send({ version, callAgentFunction: { surfaceId, functionCallId, callFunction: { "@call": name, args, catalogId } } });
    }
    const { value, error } = this.calls.get(key);
    return error ? expect(undefined, `${name}: ${error.message}`) : value;
  }

  /** Shows errors, and sends them, each once. */
  report(errors) {
    for (const { surfaceId, version, code, message, path } of errors) {
      const key = [surfaceId, code, path, message].join();
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      this.host.problem(`${surfaceId ?? this.path}: ${message}`);
      if (typeof surfaceId === "string" && this.surfaces === this.live && this.reported.size <= MOST_ERRORS) this.send({ version, error: { code, surfaceId, path, message } });
    }
  }

  /** Sends a message, after those before it, and takes those that the server sends back. */
  send(message) {
    const { basePath } = this.host;
    this.sending = this.sending.then(async () => {
      this.journal = [...this.journal, entry(true)(message)].slice(-MOST);
      this.setBusy(true);
      const response = await this.host.send({
        method: "POST", url: `${basePath.replace(/\/$/, "")}/actions`, headers: { Accept: `${STREAM}, ${LIST}`, "Content-Type": "application/a2ui+json" }, note: message.action?.name ?? Object.keys(message)[1],
        variables: message, body: JSON.stringify({ messages: [message], metadata: this.metadata(message.version) }), take: (events) => this.attempt(() => this.take(events.flatMap(messagesOfEvent))),
      });
      if (response.type !== STREAM) this.attempt(() => this.take(messagesFrom(response)));
      this.setBusy(false);
    });
  }

  /** The metadata of a message: the models of surfaces with `sendDataModel`. Without capabilities, the server may choose any catalog; preview draws them all. */
  metadata(version) {
    const surfaces = modelsOf(this.live, (surface) => surface.creation.sendDataModel && surface.isOne === isOne(version));
    return Object.keys(surfaces).length > 0 ? { [isOne(version) ? "a2uiRendererDataModel" : "a2uiClientDataModel"]: { version, surfaces } } : {};
  }
}

/** The messages of a response. Throws an error for a failed one. */
function messagesFrom({ failure, status, text }) {
  if (failure || status >= 400) throw new Error(failure ?? `The server answered ${status}: ${text ?? ""}`);
  return text?.trim() ? messagesIn(JSON.parse(text)) : [];
}

const messagesOfEvent = ({ event, data }) => expect(event === "error" ? undefined : messagesIn(JSON.parse(data)), `The server reports an error: ${data}`);
