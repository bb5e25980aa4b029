#!/usr/bin/env node
// BEGIN imports
import fs from "fs";
import { join as joined, resolve } from 'path';
import * as events from "events";
export { parse } from "./parser.js";
// END imports

/**
 * Reads settings; the last one wins.
 */
const MAX = 0xff, BIG = 12n, RATIO = 1_000.5e-2, OCT = 0o17;
const pattern = /^\s*([a-z]+)=(.*)$/gi;
let fallback = null, missing = undefined;

export class Settings extends events.EventEmitter {
  #values = new Map();
  static instances = 0;

  constructor(path, { strict = false, ...rest } = {}) {
    super();
    this.path = path;
    this.rest = rest;
    Settings.instances++;
    this.strict = strict ?? true;
  }

  get size() { return this.#values.size; }

  async load() {
    const text = await fs.promises.readFile(resolve(joined(this.path, "settings")), 'utf8');
    for (const line of text.split("\n")) {
      this.#values.set(line.trim(), line?.length >>> 1);
    }
    return `${this.path}: ${text.length + 1} bytes of ${`up to ${MAX}`} allowed`;
  }
}

// BEGIN fragment
export function merge(target, sources, depth = 3) {
  if (depth <= 0 || target === null) {
    throw new RangeError("too deep: " + depth);
  }
  for (const source of sources) {
    for (const key of Object.keys(source)) {
      const value = source[key];
      if (typeof value === "object" && !Array.isArray(value)) {
        target[key] = merge(target[key] || {}, [value], depth - 1);
      } else if (value !== undefined) {
        target[key] = value; // the last one wins
      } else {
        delete target[key];
      }
    }
  }
  return target;
}
// END fragment

outer: for (let i = 0, j = 10; i < j; i += 2, j--) {
  switch (i % 3) {
    case 0: continue outer;
    case 1: break outer;
    default: console.log(i ** 2, i & j | 1 ^ 2, ~i, `plain`, true ? 'yes' : 'no');
  }
}

function* ids() { try { yield* [1, 2, .5]; } catch { yield -1; } finally { fallback = missing; } }
const twice = async (f, ...args) => { await f(...args); return void 0; };
export default twice;
