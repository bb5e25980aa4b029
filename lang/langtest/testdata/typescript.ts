// BEGIN imports
import { EventEmitter } from "events";
import type { Reader } from './reader';
import * as path from "path";
export { Writer } from "./writer";
// END imports

/** A queue of jobs with priorities. */
export interface Job<T = unknown> {
  readonly id: number;
  name?: string;
  payload: T;
  run(signal: AbortSignal): Promise<void>;
}

type State = "idle" | 'busy' | `job-${number}`;
type Keys<T> = { [K in keyof T]?: T[K] extends Function ? never : K }[keyof T];

enum Level { Low = 1, High = 0x10, Top = 1e3 }

declare module "jobs" { const version: string; }

// BEGIN fragment
export function schedule<T>(jobs: Job<T>[], limit: number, done: Set<number>): Job<T>[] {
  const chosen: Job<T>[] = [];
  let cost = 0;
  for (const job of jobs) {
    if (done.has(job.id) || chosen.length >= limit) {
      continue; // nothing to do
    }
    const name = job.name ?? `job ${job.id} of ${jobs.length}`;
    if (name.startsWith("#") && cost > limit * 2) {
      cost -= Level.Low;
    } else {
      cost += name.length as number;
    }
    chosen.push({ ...job, name });
  }
  return chosen.sort((a, b) => a.id - b.id);
}
// END fragment

abstract class Queue<T extends object> extends EventEmitter implements Iterable<Job<T>> {
  private static instance: Queue<any> | null = null;
  protected readonly jobs: Map<number, Job<T>> = new Map();
  #state: State = "idle";

  constructor(private reader: Reader, public root: string = path.join("/", 'tmp')) {
    super();
  }

  abstract accept(job: Job<T>): job is Job<T> & { name: string };

  async *[Symbol.iterator](): any {
    yield* this.jobs.values();
  }

  stop(force = false): void | undefined {
    const test = /^job\s+(\d+)$/.test(this.#state);
    if (test && force !== true) return undefined;
    this.jobs.forEach((job) => job!.payload satisfies object);
    Queue.instance = null;
  }
}
