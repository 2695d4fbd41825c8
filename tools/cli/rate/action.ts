import { withCommands } from '../common/command-of.ts'
import type { Action } from '../verb.ts'

/** `medmake rate <command>`: clinicians' ratings, from the draw to the table. */
export const rateAction: Action = withCommands(
  'rate',
  {
    plan: async (invocation) => (await import('./plan.ts')).ratePlan(invocation),
    serve: async (invocation) => (await import('./serve.ts')).rateServe(invocation),
    pack: async (invocation) => (await import('./pack.ts')).ratePack(invocation),
    import: async (invocation) => (await import('./import.ts')).rateImport(invocation),
    status: async (invocation) => (await import('./status.ts')).rateStatus(invocation),
    report: async (invocation) => (await import('./report.ts')).rateReport(invocation),
    more: async (invocation) => (await import('./plan.ts')).ratePlan(invocation),
    disagreements: async (invocation) => (await import('./disagreements.ts')).rateDisagreements(invocation),
    log: async (invocation) => (await import('./log.ts')).rateLog(invocation),
    export: async (invocation) => (await import('./export.ts')).rateExport(invocation),
    withdraw: async (invocation) => (await import('./withdraw.ts')).rateWithdraw(invocation),
  },
  ['serve', 'pack', 'status', 'report', 'disagreements', 'log', 'export', 'withdraw'],
)
