import { withCommands } from '../common/command-of.ts'
import type { Action } from '../verb.ts'

/** `medmake jury <command>`: how far judges can be counted, and how much scores hang on each, on kinship, on chance. */
export const juryAction: Action = withCommands('jury', {
  coverage: async (invocation) => (await import('./coverage.ts')).juryCoverage(invocation),
  dropout: async (invocation) => (await import('./dropout.ts')).juryDropout(invocation),
  family: async (invocation) => (await import('./family.ts')).juryFamily(invocation),
  repeats: async (invocation) => (await import('./repeats.ts')).juryRepeats(invocation),
  agreement: async (invocation) => (await import('./family.ts')).juryAgreement(invocation),
  probe: async (invocation) => (await import('./probe.ts')).juryProbe(invocation),
  gold: async (invocation) => (await import('./gold.ts')).juryGold(invocation),
  calibrate: async (invocation) => (await import('./calibrate.ts')).juryCalibrate(invocation),
})
