import type { Random } from "../../model/clock.js";

const RANGE = 0x1_0000_0000;

/** A stream of numbers that is the same for the same seed. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / RANGE;
  };
}

/** A number from 0 up to 1 that the seed and the text alone decide, whatever was asked before. */
export function chanceOf(seed: number, text: string): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193) >>> 0;
  }
  return mix(hash) / RANGE;
}

/** Spreads every bit over all of them: the last step of mulberry32. */
function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 15), bits | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
