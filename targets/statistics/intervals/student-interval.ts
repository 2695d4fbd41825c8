import { studentT } from '../distributions/student-t.ts'
import type { Interval } from './wilson.ts'

export const studentInterval = (
  estimate: number,
  { variance, df }: { readonly variance: number; readonly df: number },
  confidence: number,
): Interval => {
  const half = studentT(confidence, df) * Math.sqrt(variance)
  return { low: estimate - half, high: estimate + half }
}
