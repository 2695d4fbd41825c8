import { setTimeout } from 'node:timers/promises'
import { writeProblem } from '../store-problems.ts'
import type { Claims, Taking } from './claims.ts'
import type { Patience } from './patience.ts'

/** Runs `work` while no other process holds `name`; without claims none can. @throws ProblemError where the claim can't be written */
export const holding = async <T>(
  claims: Claims | undefined,
  name: string,
  {
    patience,
    pause,
  }: { readonly patience: Patience; /** Milliseconds between two looks. */ readonly pause: number },
  work: () => Promise<T>,
): Promise<T> => {
  if (claims === undefined) return work()
  const take = (): Taking => {
    try {
      return claims.take(name)
    } catch (error) {
      throw writeProblem(claims.folder, error)
    }
  }
  let taking = take()
  while ('heldBy' in taking) {
    patience.waitsFor(taking.heldBy)
    await setTimeout(pause)
    taking = take()
  }
  patience.over()
  try {
    return await work()
  } finally {
    taking.release()
  }
}
