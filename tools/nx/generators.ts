import type { Tree } from '@nx/devkit'
import { ProblemError } from '../../cache/problems/problem.ts'
import { releaseProcess } from '../../cache/user-code/guards.ts'
import { isOfServer } from '../../models/clients/chat/server-of.ts'
import { newBenchmark, withNotice } from '../benchmark/new-benchmark.ts'
import { homeOf, wantedBenchmark, type Wanted } from '../benchmark/wanted.ts'
import { lackingRules, withRules } from '../cli/init/ignored.ts'
import { toldWhole } from '../cli/output/print-problems.ts'
import { findWorkspace } from '../session/workspace/workspace.ts'
import { slug } from './pairs/pair-name.ts'

type Generator<Options> = (tree: Tree, options: Options) => void | Promise<void>

const told =
  <Options>(generate: Generator<Options>): Generator<Options> =>
  async (tree, options) => {
    try {
      await generate(tree, options)
    } catch (error) {
      throw toldWhole(error)
    } finally {
      releaseProcess()
    }
  }

type BenchmarkOptions = Omit<Wanted, 'data'>

/** `nx g medmake:benchmark NAME`: what `medmake benchmark new NAME` writes. */
const makeBenchmark = async (tree: Tree, options: BenchmarkOptions): Promise<void> => {
  const { root } = tree
  const { config, path } = await findWorkspace(root)
  const wanted = await wantedBenchmark(options, root, path(config.local_path))
  const { files, notice } = newBenchmark(wanted, homeOf(root))
  for (const [file, text] of files) if (!tree.exists(file)) tree.write(file, text)
  tree.write('NOTICE', withNotice(tree.read('NOTICE', 'utf8') ?? '', notice))
}

const PLUGIN = 'medmake/nx'

interface NxJson {
  readonly plugins?: readonly (string | { readonly plugin: string })[]
}

/** What `nx add medmake` runs: names the plugin in nx.json, and makes the files that a workspace begins with. */
const makeInit = (tree: Tree): void => {
  const nxJson = JSON.parse(tree.read('nx.json', 'utf8') ?? '{}') as NxJson
  const plugins = nxJson.plugins ?? []
  const isNamed = plugins.some((each) => (typeof each === 'string' ? each : each.plugin) === PLUGIN)
  if (!isNamed)
    tree.write('nx.json', `${JSON.stringify({ ...nxJson, plugins: [...plugins, PLUGIN] }, undefined, 2)}\n`)
  const ignored = tree.read('.gitignore', 'utf8') ?? ''
  const missing = lackingRules(ignored)
  if (missing.length > 0) tree.write('.gitignore', withRules(ignored, missing))
  for (const [file, text] of Object.entries(FILES)) if (!tree.exists(file)) tree.write(file, text)
}

const FILES: Readonly<Record<string, string>> = {
  'medmake.yaml': '# Defaults of this workspace; flags win over them.\nmax_eval_instances: 1000\n',
  'targets/main.conf': `# A suite is a list of run entries: benchmark:model=… . Each entry is a project with the targets generate and score.
entries: [
  {description: "demo_multiple_choice:model=baseline/first-choice", priority: 1}
]
`,
}

interface ModelOptions {
  readonly name: string
  readonly baseUrl: string
  /** As the server calls it; the name's last part unless given. */
  readonly model?: string
  /** Calls in flight. */
  readonly concurrency?: number
}

/** `nx g medmake:model ORG/NAME --baseUrl URL`: an entry for any OpenAI-compatible server. */
const makeModel = (tree: Tree, { name, baseUrl, model: served, concurrency = 8 }: ModelOptions): void => {
  if (!/^[\w.-]+\/[\w.:-]+$/.test(name))
    throw new ProblemError({
      code: 'nx/bad-name',
      message: `${name} is no name for a model`,
      remedy: 'Write organization/model, such as meta/llama-3.3-70b-instruct.',
    })
  if (!isOfServer(baseUrl))
    throw new ProblemError({
      code: 'nx/bad-url',
      message: `${baseUrl} is no address of a server`,
      remedy: 'Write the address up to /v1, such as http://127.0.0.1:8000/v1.',
    })
  const [organization = '', own = ''] = name.split('/')
  const file = `models/${slug(name)}.yaml`
  refuseExisting(tree, file)
  tree.write(
    file,
    `# Run entries call it model=${name}. Its key: ${organization.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_API_KEY, where its server wants one.
model_deployments:
  - name: ${name}
    model_name: ${name}
    client_spec:
      class_name: medmake.chat
      args:
        base_url: ${JSON.stringify(baseUrl)}
        model: ${JSON.stringify(served ?? own)}
    limits:
      concurrency: ${concurrency}
`,
  )
}

/** A generator adds; what a user wrote stays. @throws ProblemError `nx/exists` */
const refuseExisting = (tree: Tree, file: string): void => {
  if (!tree.exists(file)) return
  throw new ProblemError({
    code: 'nx/exists',
    message: `${file} is there already`,
    where: { file },
    remedy: 'Choose another name, or edit that file.',
  })
}

export const benchmark: Generator<BenchmarkOptions> = told(makeBenchmark)
export const model: Generator<ModelOptions> = told(makeModel)
export const init: Generator<unknown> = told(makeInit)
