import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { imageFilesOnly } from "../image-files.ts";

const SERVICES = join(import.meta.dirname, "../../services");
const PROBES = /"port":(\d+),"msg":"answering probes"/;
const READY = /"msg":"ready"/;
const WARNING = /"level":[456]0/;
/** As in the chart, a gateway that stops answers requests that were already on their way to it. */
const LEAVING = { LEAVE_SECONDS: "2" };

/** A process of a service. */
export class Instance {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #operationsPort = "";
  #log = "";

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close");
  }

  /**
   * Resolves when it is ready. It can read only what its image contains, and `folder`.
   */
  static async start(service: string, env: NodeJS.ProcessEnv, folder: string): Promise<Instance> {
    const main = join(SERVICES, service, "src/main.ts");
    const files = imageFilesOnly(service, folder);
    const child = spawn(process.execPath, [...files, main], {
      env: { ...LEAVING, ...env, OPERATIONS_PORT: "0" },
      // It ends when the channel to this process breaks.
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const instance = new Instance(child);
    await instance.#untilReady(service);
    return instance;
  }

  async #untilReady(service: string): Promise<void> {
    const ready = Promise.withResolvers<void>();
    const read = (chunk: Buffer) => {
      this.#log += chunk.toString();
      if (READY.test(this.#log)) ready.resolve();
    };
    this.#child.stdout?.on("data", read);
    this.#child.stderr?.on("data", read);
    void this.#ended.then(() => ready.reject(new Error(`${service} has exited:\n${this.#log}`)));
    await ready.promise;
    this.#operationsPort = PROBES.exec(this.#log)?.[1] ?? "";
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Lines of its log that are warnings or worse. */
  get warnings(): string[] {
    return this.#log.split("\n").filter((line) => WARNING.test(line));
  }

  /** The service's own methods that have been called. */
  async methodsCalled(): Promise<string[]> {
    return [...(await this.callsByMethod()).keys()];
  }

  /** How often each of its own methods has been called. */
  async callsByMethod(): Promise<Map<string, number>> {
    const response = await fetch(`http://127.0.0.1:${this.#operationsPort}/metrics`);
    const lines = (await response.text()).matchAll(
      /^rpc_server_call_duration_seconds_count\{[^}]*rpc_method="([^"]+)"[^}]*\} (\d+)/gm,
    );
    const calls = new Map<string, number>();
    for (const [, name = "", count] of lines) {
      const method = name.split("/").at(-1) ?? "";
      calls.set(method, (calls.get(method) ?? 0) + Number(count));
    }
    return calls;
  }

  /** Stops the process with SIGTERM, as Kubernetes does. Returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await this.#ended;
    return this.#child.exitCode;
  }
}
