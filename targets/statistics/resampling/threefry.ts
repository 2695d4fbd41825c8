/** Two words of 32 bits. */
export type Words = readonly [number, number]

const PARITY = 0x1bd11bda

/**
 * Threefry-2x32 with 20 rounds: random words that depend on key and counter alone, so that a draw is the same in
 * whatever order and on whatever machine it is made (Salmon, Moraes, Dror & Shaw, SC11). Into `words`: resamples take
 * millions of them, and an array for each would cost more than the rounds.
 */
export const threefryInto = (
  words: Uint32Array,
  key0: number,
  key1: number,
  counter0: number,
  counter1: number,
): void => {
  const k0 = key0 | 0
  const k1 = key1 | 0
  const k2 = PARITY ^ k0 ^ k1
  let x = (counter0 + k0) | 0
  let y = (counter1 + k1) | 0
  let [added0, added1, added2] = [k1, k2, k0]
  // Four rounds a time; by how many bits the second word turns comes round again after eight (SC11, table 2).
  for (let block = 1; block <= 5; block += 1) {
    const odd = (block & 1) === 1
    x = (x + y) | 0
    y = (odd ? (y << 13) | (y >>> 19) : (y << 17) | (y >>> 15)) ^ x
    x = (x + y) | 0
    y = (odd ? (y << 15) | (y >>> 17) : (y << 29) | (y >>> 3)) ^ x
    x = (x + y) | 0
    y = (odd ? (y << 26) | (y >>> 6) : (y << 16) | (y >>> 16)) ^ x
    x = (x + y) | 0
    y = (odd ? (y << 6) | (y >>> 26) : (y << 24) | (y >>> 8)) ^ x
    x = (x + added0) | 0
    y = (y + added1 + block) | 0
    const first = added0
    added0 = added1
    added1 = added2
    added2 = first
  }
  words[0] = x
  words[1] = y
}
