import { z } from 'zod'
import { DATA_AGREEMENTS, type DeclaredAgreement } from '../../models/agreement/data-agreement.ts'

const Level = z.enum(DATA_AGREEMENTS)

/**
 * `data_agreements` of medmake.yaml: deployment → up to which access its text may be sent there, and to which host.
 * Without `host` the one of the deployment's own declaration in models/.
 */
export const AgreementsConfig = z.record(
  z.string(),
  z.union([
    Level,
    z.strictObject({ level: Level, host: z.string().min(1, 'a host name without port').toLowerCase() }),
  ]),
)

export const agreementsOf = (
  config: z.output<typeof AgreementsConfig>,
): ReadonlyMap<string, DeclaredAgreement> =>
  new Map(
    Object.entries(config).map(([name, each]) => [name, typeof each === 'string' ? { level: each } : each]),
  )
