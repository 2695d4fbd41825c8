import { dirname, join, relative } from 'node:path'
import { defined } from '../../cache/values/defined.ts'
import type { z } from 'zod'
import { packageRoot } from '../../cache/package-root.ts'
import { namesIn, readFile } from '../../cache/files/read.ts'
import {
  HELM_YAML,
  parseYaml,
  type YamlDocument,
  type YamlOptions,
} from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { type DeclaredAgreement, serverPlace, type DataAgreement } from '../agreement/data-agreement.ts'
import type { Price } from '../prices/price.ts'
import {
  priceFrom,
  refuseTwoPrices,
  refuseTwice,
  type DeclaredName,
  DeploymentsFile,
  MetadataFile,
  ModelsFile,
  TokenizersFile,
  type ModelsYaml,
} from './schema.ts'
import { createRegistry, type ModelRegistry } from './registry.ts'
import type { ModelDeployment, ModelMetadata } from '../deployment/model.ts'
import {
  type TokenizerConfig,
  findTokenizer,
  type TokenizerPlaces,
  isBuiltIn,
} from '../tokenizers/tokenizer.ts'
import { codeDigest } from '../../cache/user-code/code-files.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { clientFile, clientName } from '../clients/code/client-file.ts'
import { CHAT_CLASSES } from '../clients/chat/classes.ts'

interface RegistryPlaces {
  /** The built-in models' folder, unless another stands in for it. */
  readonly catalog?: string
  /** The workspace: its `models/*.yaml` come after the catalog. */
  readonly workspace: string
  /** HELM's `--local-path`: its YAML files there come last. */
  readonly localPath: string
  /** Says where the Hugging Face Hub's cache lies, for tokenizers. */
  readonly env?: NodeJS.ProcessEnv
  /** By deployment, from the workspace's configuration: these win over those declared with a deployment. */
  readonly agreements?: ReadonlyMap<string, DeclaredAgreement>
  /** Named on the command line: these come after all files. */
  readonly named?: readonly ModelDeployment[]
}

/** The catalog's folder. */
const builtInModels = (): string => join(packageRoot(), 'models/catalog')

/** The models and list prices that are built in, whatever a workspace declares. */
export const catalogRegistry = async (): Promise<ModelRegistry> =>
  loadRegistry({ workspace: builtInModels(), localPath: builtInModels() })

/**
 * Reads every declaration of models, deployments and prices, in the order in which later ones win.
 *
 * @throws ProblemError `models/…` with file, line and column
 */
export const loadRegistry = async (given: RegistryPlaces): Promise<ModelRegistry> => {
  const places = { catalog: builtInModels(), ...given }
  const own = join(places.workspace, 'models')
  const files = [...yamlFiles(places.catalog), ...(own === places.catalog ? [] : yamlFiles(own))]
  const parts = await Promise.all(files.map((file) => readFileAs(file, ModelsFile)))
  const local = await Promise.all([
    readFileAs(join(places.localPath, 'model_metadata.yaml'), MetadataFile, HELMS),
    readFileAs(join(places.localPath, 'tokenizer_configs.yaml'), TokenizersFile, HELMS),
    readFileAs(join(places.localPath, 'model_deployments.yaml'), DeploymentsFile, HELMS),
  ])
  const models: ModelMetadata[] = []
  const deployments: ModelDeployment[] = []
  const tokenizers: TokenizerConfig[] = []
  const prices: Price[] = []
  const catalogPrices: Price[] = []
  const redeclared = new Set<string>()
  const declarations = new Map<string, readonly DeclaredName[]>()
  for (const part of [...parts, ...local]) {
    if (part === undefined) continue
    const { value, file, document } = part
    const shown = relative(places.workspace, file)
    const isCatalog = dirname(file) === places.catalog
    for (const model of ('models' in value ? value.models : undefined) ?? []) models.push(metadataOf(model))
    const declared = ('model_deployments' in value ? value.model_deployments : undefined) ?? []
    const room = roomOf(file, places)
    declarations.set(room, [
      ...(declarations.get(room) ?? []),
      ...declared.map((each, index) => ({
        name: each.name,
        value: each,
        where: () => document.place(['model_deployments', index, 'name']),
      })),
    ])
    for (const [index, deployment] of declared.entries()) {
      const configured = places.agreements?.get(deployment.name)
      const agreement = declaredAgreement(deployment, configured, dirname(file) !== places.localPath)
      deployments.push({
        ...deploymentOf(deployment, shown),
        ...(agreement && { agreement }),
        placeOf: (path) => document.place(['model_deployments', index, ...path]),
      })
      if (!isCatalog) redeclared.add(deployment.name)
    }
    for (const tokenizer of ('tokenizer_configs' in value ? value.tokenizer_configs : undefined) ?? [])
      tokenizers.push(tokenizerOf(tokenizer))
    const priced = ('prices' in value ? value.prices : undefined) ?? []
    refuseTwoPrices(priced, document)
    for (const price of priced) (isCatalog ? catalogPrices : prices).push(priceFrom(price, shown))
  }
  for (const each of declarations.values()) refuseTwice(each, DECLARED_TWICE)
  deployments.push(...(places.named ?? []))
  // A deployment declared anew leads elsewhere: what the catalog's charges says nothing of it.
  const unchanged = catalogPrices.filter(({ deployment }) => !redeclared.has(deployment))
  const equipped = await withTokenizers(deployments, tokenizers, {
    workspace: places.workspace,
    env: places.env ?? {},
  })
  return createRegistry(models, await withCode(equipped, places.workspace), [...unchanged, ...prices])
}

/** Files between which none goes before another; one room's declaration replaces another room's. */
const roomOf = (file: string, { localPath }: RegistryPlaces): string =>
  dirname(file) === localPath ? file : dirname(file)

const DECLARED_TWICE = {
  code: 'models/deployment-twice',
  what: 'is declared twice',
  remedy:
    'Keep one. To lead a deployment elsewhere on this machine, declare it in prod_env/model_deployments.yaml, which wins.',
}

const yamlFiles = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name))

/** Files that HELM reads, too, as YAML 1.1: `8_192` is a number there, `no` is false. */
const HELMS = { schema: HELM_YAML }

/** Undefined where the file does not exist. */
const readFileAs = async <Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  options: Omit<YamlOptions, 'room'> = { ahead: {} },
): Promise<
  { readonly value: z.output<Schema>; readonly file: string; readonly document: YamlDocument } | undefined
> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const document = parseYaml(text, file, { room: 'models', ...options })
  return { value: checkDocument(schema, document, 'models'), file, document }
}

type ModelYaml = NonNullable<ModelsYaml['models']>[number]
type DeploymentYaml = NonNullable<ModelsYaml['model_deployments']>[number]
type TokenizerYaml = NonNullable<ModelsYaml['tokenizer_configs']>[number]

const metadataOf = (yaml: ModelYaml): ModelMetadata =>
  defined({
    name: yaml.name,
    displayName: yaml.display_name ?? yaml.name,
    description: yaml.description ?? yaml.name,
    creatorOrganization: yaml.creator_organization_name,
    access: yaml.access,
    tags: yaml.tags,
    releaseDate: yaml.release_date,
    numParameters: yaml.num_parameters,
  })

/** HELM's classes that cut prompts as we do: the second joins tokens' texts. */
const CUT_ALIKE = /\.(?:Default|NoDecoding)WindowService$/

const deploymentOf = (yaml: DeploymentYaml, file: string): ModelDeployment => {
  const { limits, window_service_spec: { class_name: window = '' } = {} } = yaml
  return defined({
    name: yaml.name,
    modelName: yaml.model_name ?? yaml.name,
    client: { className: yaml.client_spec.class_name, args: yaml.client_spec.args ?? {} },
    deprecated: yaml.deprecated,
    file,
    limits: defined({
      concurrency: limits.concurrency,
      requestsPerMinute: limits.requests_per_minute,
      tokensPerMinute: limits.tokens_per_minute,
      perMachine: limits.per_machine,
    }),
    tokenizerName: yaml.tokenizer_name,
    maxSequenceLength: yaml.max_sequence_length,
    maxRequestLength: yaml.max_request_length,
    windowService: window === '' || CUT_ALIKE.test(window) ? undefined : window,
  })
}

const tokenizerOf = ({
  name,
  tokenizer_spec: { class_name: className, args },
}: TokenizerYaml): TokenizerConfig => {
  const path = args?.['pretrained_model_name_or_path']
  const revision = args?.['revision']
  return {
    name,
    className,
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof revision === 'string' ? { revision } : {}),
  }
}

/** Deployments of the workspace's own clients with the digest of their code; the others as they are. */
const withCode = (
  deployments: readonly ModelDeployment[],
  workspace: string,
): Promise<readonly ModelDeployment[]> =>
  Promise.all(
    deployments.map(async (deployment) => {
      const name = clientName(deployment.client.className)
      try {
        const file = name === undefined ? undefined : clientFile(workspace, name)
        if (file === undefined) return deployment
        const digest = await codeDigest(file, async (path) => digestOf<'file'>(await readFile(path)))
        return { ...deployment, code: { file, digest } }
      } catch (error) {
        // It spoils only what is asked by this client.
        if (!(error instanceof ProblemError)) throw error
        return { ...deployment, codeFault: error }
      }
    }),
  )

/** Deployments with the files of their tokenizers, where those are on this machine. A config declared last wins. */
const withTokenizers = async (
  deployments: readonly ModelDeployment[],
  configs: readonly TokenizerConfig[],
  places: TokenizerPlaces,
): Promise<readonly ModelDeployment[]> => {
  const byName = new Map(configs.map((config) => [config.name, config]))
  const names = new Set(deployments.map(({ tokenizerName }) => tokenizerName))
  const files = new Map(
    await Promise.all(
      [...names].map(async (name) => {
        const wanted = name !== undefined && !isBuiltIn(name)
        return [name, wanted ? await findTokenizer(name, byName.get(name), places) : undefined] as const
      }),
    ),
  )
  return deployments.map((deployment) => {
    const tokenizerFiles = files.get(deployment.tokenizerName)
    return tokenizerFiles === undefined ? deployment : { ...deployment, tokenizerFiles }
  })
}

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
const declaredAgreement = (
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
