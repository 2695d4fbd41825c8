import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import type { CiReport } from '../../compare/ci-report.ts'

/** How a pull request's job ends once all changed pairs were built. */
export const ciExit = (
  { pairs, judged, gate, decidedBy }: CiReport,
  allowsInconclusive: boolean,
): ExitCode => {
  const byGate = decidedBy === 'gate'
  if (judged.some(({ broken }) => broken.length > 0)) return EXIT.regression
  if (byGate && gate.verdict === 'regressed') return EXIT.regression
  // A pair that should have been compared and was not must not pass for one that did not change.
  const isWhole =
    pairs.every(({ outcome }) => outcome === 'compared' || outcome === 'new') &&
    judged.every(({ comparison }) => comparison.result !== null)
  if (!isWhole) return EXIT.incomplete
  const isOpen = byGate && gate.verdict === 'inconclusive'
  return isOpen && !allowsInconclusive ? EXIT.inconclusive : EXIT.done
}
