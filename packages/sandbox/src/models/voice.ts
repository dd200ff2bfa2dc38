// A voice that hums the text: a pulse train at a melodic pitch through three resonances per vowel, noise for consonants, silence
// for spaces. Not words, but speech-like, and every letter is audible. 16-bit PCM, mono.
import type { PictureRequest } from "../pictures/picture.ts";
import { type Random, randomFrom } from "../pictures/random.ts";

export type VoiceRequest = Pick<PictureRequest, "prompt" | "seed">;

export const samplesPerSecond = 24_000;
const letterSeconds = 0.072;
const secondsMin = 0.4;
// Longer texts are spoken faster instead.
const secondsMax = 60;
const headerBytes = 44;

type Resonances = readonly [number, number, number];
const vowels: Readonly<Record<string, Resonances>> = {
  a: [730, 1090, 2440],
  e: [530, 1840, 2480],
  i: [270, 2290, 3010],
  o: [570, 840, 2410],
  u: [300, 870, 2240],
  y: [300, 1900, 2500],
};
const hum: Resonances = [280, 1200, 2300];
const hissing = /[bcdfghjkpqstvxz]/;
const scale = [0, 2, 4, 7, 9, 12, 7, 4] as const;

export function voiceSeconds(prompt: string): number {
  return Math.min(secondsMax, Math.max(secondsMin, [...prompt].length * letterSeconds));
}

export function speak(request: VoiceRequest): Uint8Array<ArrayBuffer> {
  const random = randomFrom("voice", request.prompt, request.seed);
  const samples = Math.round(voiceSeconds(request.prompt) * samplesPerSecond);
  const sound = sing([...request.prompt.toLowerCase()].map(soundOf), samples, random);
  return wavOf(sound);
}

interface LetterSound {
  readonly resonances: Resonances;
  readonly isSilent: boolean;
  readonly isHissing: boolean;
}

const silence: LetterSound = { resonances: hum, isSilent: true, isHissing: false };

function soundOf(letter: string): LetterSound {
  const resonances = vowels[letter.normalize("NFD").charAt(0)] ?? hum;
  return { resonances, isSilent: !/[\p{L}\p{N}]/u.test(letter), isHissing: hissing.test(letter) };
}

function sing(letters: readonly LetterSound[], samples: number, random: Random): Float32Array {
  const sound = new Float32Array(samples);
  const base = random.between(95, 230);
  const vibrato = random.between(4.5, 6.5);
  const tune = Array.from({ length: 16 }, () => random.pick(scale));
  const filters = [new Resonator(90), new Resonator(110), new Resonator(160)] as const;
  let phase = 0;
  let pitch = base;
  let loudness = 0;
  for (let index = 0; index < samples; index++) {
    const position = (index / samples) * letters.length;
    const { resonances, isSilent, isHissing } = letters[Math.floor(position)] ?? silence;
    const target = base * 2 ** ((tune[Math.floor(position / 4) % tune.length] ?? 0) / 12);
    pitch += (target - pitch) * 0.0006;
    loudness += ((isSilent ? 0 : 1) - loudness) * 0.0025;
    phase += (pitch * (1 + 0.012 * Math.sin((2 * Math.PI * vibrato * index) / samplesPerSecond))) / samplesPerSecond;
    phase -= Math.floor(phase);
    const pulse = phase < 0.6 ? Math.sin((phase / 0.6) * Math.PI) ** 2 - 0.3 : -0.3;
    const breath = (random.next() - 0.5) * (isHissing ? 0.9 : 0.06);
    const source = pulse * (isHissing ? 0.35 : 1) + breath;
    sound[index] =
      loudness *
      (filters[0].next(source, resonances[0]) +
        0.7 * filters[1].next(source, resonances[1]) +
        0.35 * filters[2].next(source, resonances[2]));
  }
  return sound;
}

// A two-pole resonance whose centre glides, so that letters run into each other.
class Resonator {
  readonly #decay: number;
  #centre = 600;
  #turn = 0;
  #count = 0;
  #last = 0;
  #before = 0;

  constructor(bandwidth: number) {
    this.#decay = Math.exp((-Math.PI * bandwidth) / samplesPerSecond);
  }

  next(input: number, centre: number): number {
    if (this.#count++ % 32 === 0) {
      this.#centre += (centre - this.#centre) * 0.06;
      this.#turn = 2 * this.#decay * Math.cos((2 * Math.PI * this.#centre) / samplesPerSecond);
    }
    const output = input * (1 - this.#decay) + this.#turn * this.#last - this.#decay * this.#decay * this.#before;
    this.#before = this.#last;
    this.#last = output;
    return output;
  }
}

function wavOf(sound: Float32Array): Uint8Array<ArrayBuffer> {
  let loudest = 1e-6;
  for (const sample of sound) loudest = Math.max(loudest, Math.abs(sample));
  const bytes = new Uint8Array(headerBytes + sound.length * 2);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  word(0, "RIFF");
  view.setUint32(4, bytes.length - 8, true);
  word(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, samplesPerSecond, true);
  view.setUint32(28, samplesPerSecond * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, "data");
  view.setUint32(40, sound.length * 2, true);
  const ramp = Math.min(sound.length / 4, samplesPerSecond * 0.02);
  for (const [index, sample] of sound.entries()) {
    const edge = Math.min(1, index / ramp, (sound.length - 1 - index) / ramp);
    view.setInt16(headerBytes + index * 2, Math.round((sample / loudest) * 0.85 * edge * 32767), true);
  }
  return bytes;
}
