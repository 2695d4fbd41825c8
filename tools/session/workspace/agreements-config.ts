import { z } from 'zod'
import { DATA_AGREEMENTS, type DeclaredAgreement } from '../../../models/agreement/data-agreement.ts'

const Level = z.enum(DATA_AGREEMENTS)

export const AgreementsConfig = z
  .record(
    z.string(),
    z.union([
      Level,
      z.strictObject({ level: Level, host: z.string().min(1, 'a host name without port').toLowerCase() }),
    ]),
  )
  .meta({
    description:
      'By deployment: up to which access its text may be sent there, and to which host; without host the one of its declaration in models/.',
    examples: [
      '{ openai/gpt-4o-2024-05-13: gated, azure/gpt-4o: { level: private, host: ours.openai.azure.com } }',
    ],
  })

export const agreementsOf = (
  config: z.output<typeof AgreementsConfig>,
): ReadonlyMap<string, DeclaredAgreement> =>
  new Map(
    Object.entries(config).map(([name, each]) => [name, typeof each === 'string' ? { level: each } : each]),
  )
