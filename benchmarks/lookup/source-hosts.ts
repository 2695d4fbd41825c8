import type { BenchmarkContext } from '../context/context.ts'
import { checkDeclaration, readDeclarationYaml } from '../declaration/read-declaration.ts'
import type { Protocol } from '../declaration/schema.ts'
import { catalogEntries, isConfigurable } from './find.ts'

/**
 * Hosts that a benchmark's data comes from, sorted; each may redirect to where its publisher keeps files. None where all
 * data is the user's own. With a mirror none is contacted: the caller knows.
 */
export const sourceHosts = async (
  name: string,
  context: Pick<BenchmarkContext, 'workspace' | 'protocol'>,
): Promise<readonly string[]> => {
  const entry = (await catalogEntries(context)).find((each) => each.name === name)
  if (entry === undefined) return []
  const document = await readDeclarationYaml(entry.file)
  if (isConfigurable(document)) return []
  const { protocols } = checkDeclaration(document).content
  const protocol = protocols.find(({ version }) => version === context.protocol) ?? protocols[0]
  return [...new Set(Object.values(protocol?.data ?? {}).flatMap(hostsOf))].toSorted()
}

const hostsOf = ({ url, hugging_face: hub, github_folder: folder }: Protocol['data'][string]): string[] => {
  if (hub !== undefined) return ['huggingface.co']
  return [url, folder?.listing, folder?.files].flatMap((address) =>
    address !== undefined && URL.canParse(address) ? [new URL(address).hostname] : [],
  )
}
