/** Two words of 32 bits. */
export type Words = readonly [number, number]

/** Bits by which the second word turns, round by round, eight in a circle (Salmon et al., SC11, table 2). */
const TURNS = [13, 15, 26, 6, 17, 29, 16, 24] as const
const PARITY = 0x1bd11bda
const ROUNDS = 20

/**
 * Threefry-2x32 with 20 rounds: random words that depend on key and counter alone, so that a draw is the same in
 * whatever order and on whatever machine it is made (Salmon, Moraes, Dror & Shaw, SC11).
 */
export const threefry = ([key0, key1]: Words, [counter0, counter1]: Words): Words => {
  const keys = [key0 | 0, key1 | 0, PARITY ^ key0 ^ key1] as const
  let x = (counter0 + keys[0]) | 0
  let y = (counter1 + keys[1]) | 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const turn = TURNS[round & 7] ?? 0
    x = (x + y) | 0
    y = ((y << turn) | (y >>> (32 - turn))) ^ x
    if ((round & 3) === 3) {
      const added = (round >> 2) + 1
      x = (x + (keys[added % 3] ?? 0)) | 0
      y = (y + (keys[(added + 1) % 3] ?? 0) + added) | 0
    }
  }
  return [x >>> 0, y >>> 0]
}
