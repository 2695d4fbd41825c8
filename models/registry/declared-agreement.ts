import { CHAT_CLASSES } from '../clients/chat/classes.ts'
import { serverPlace, type DataAgreement, type DeclaredAgreement } from '../agreement/data-agreement.ts'

/** What of a declared deployment bears on its agreement. */
interface Declaration {
  readonly client_spec: {
    readonly class_name: string
    readonly args?: Readonly<Record<string, unknown>> | null | undefined
  }
  readonly data_agreement?: DataAgreement | undefined
}

/**
 * A deployment's agreement and whom it is with. A file that nobody reviews declares neither: there the workspace's
 * configuration has to name the host.
 *
 * @param configured from medmake.yaml, which wins
 */
export const declaredAgreement = (
  declaration: Declaration,
  configured: DeclaredAgreement | undefined,
  isReviewed: boolean,
): DeclaredAgreement | undefined => {
  const level = configured?.level ?? (isReviewed ? declaration.data_agreement : undefined)
  if (level === undefined) return undefined
  const host = configured?.host ?? (isReviewed ? declaredHost(declaration) : undefined)
  return host === undefined ? { level } : { level, host }
}

const declaredHost = ({ client_spec: { class_name: name, args } }: Declaration): string | undefined => {
  const url = args?.['base_url'] ?? CHAT_CLASSES[name]?.baseUrl
  return typeof url === 'string' ? serverPlace(url)?.host : undefined
}
