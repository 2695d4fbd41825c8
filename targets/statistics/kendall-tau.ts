/** Kendall's τ-b of pairs: 1 the same order, −1 the opposite, ties on either side counted out; NaN where one is constant. */
export const kendallTau = (a: readonly number[], b: readonly number[]): number => {
  if (a.length !== b.length) throw new RangeError('both sides of a correlation have the same length')
  let [balance, untiedA, untiedB] = [0, 0, 0]
  for (let i = 0; i < a.length; i += 1)
    for (let j = 0; j < i; j += 1) {
      const byA = Math.sign((a[i] ?? NaN) - (a[j] ?? NaN))
      const byB = Math.sign((b[i] ?? NaN) - (b[j] ?? NaN))
      balance += byA * byB
      untiedA += Math.abs(byA)
      untiedB += Math.abs(byB)
    }
  return balance / Math.sqrt(untiedA) / Math.sqrt(untiedB)
}
