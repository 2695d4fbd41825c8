import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../cache/package-root.ts'
import { writeHelmSuite } from './helm-suite.ts'

// `npm run bench -- --helm DIR [rounds]`: the same jobs by medmake and by a real HELM, in turns, wall seconds. DIR holds
// `env.sh`, which puts crfm-helm 0.5.16's programs on PATH; MEDMAKE_MIRROR names a folder with the data of pubmed_qa and
// medication_qa as its URLs lay it out, and what HELM downloads must come from there, too.
const [, , , oracle = '', rounds = '1'] = process.argv
const envFile = join(resolve(oracle), 'env.sh')
const mirror = process.env['MEDMAKE_MIRROR']
if (!existsSync(envFile) || mirror === undefined)
  throw new Error('needs a folder with env.sh after --helm, and MEDMAKE_MIRROR in the environment')

interface Job {
  readonly name: string
  /** Program and its flags; `{o}` is the output folder. */
  readonly ours: readonly string[]
  readonly helm: readonly string[]
  readonly before?: (side: string) => void
}

const JUDGES = ['gpt', 'llama', 'claude']
const MODEL = 'model=bench/one,model_deployment=bench/one'

/** Calls that a server answers before anything is measured: one that has just begun is slow, which is nobody's work here. */
const FIRST_CALLS = 3000

const answerFirst = async (url: string): Promise<void> => {
  let left = FIRST_CALLS
  const ask = async (): Promise<void> => {
    for (; left > 0; left -= 1) {
      const messages = [{ role: 'user', content: `Call ${left}.` }]
      const body = JSON.stringify({ model: 'one', messages, max_tokens: 5 })
      const headers = { 'content-type': 'application/json' }
      await (await fetch(`${url}/chat/completions`, { method: 'POST', headers, body })).text()
    }
  }
  await Promise.all(Array.from({ length: 32 }, ask))
}

const serve = async (latency: number): Promise<{ url: string; end: () => void }> => {
  const program = join(dirname(fileURLToPath(import.meta.url)), 'server.js')
  const server = spawn(process.execPath, [program, String(latency)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]
  await answerFirst(url)
  return { url, end: () => server.kill() }
}

const deployment = (name: string, url: string): string =>
  `  - name: bench/${name}\n    model_name: bench/${name}\n    tokenizer_name: openai/cl100k_base\n    max_sequence_length: 128000\n    client_spec: {class_name: helm.clients.vllm_client.VLLMChatClient, args: {base_url: "${url}", vllm_model_name: ${name}}}\n`

const metadata = (name: string): string =>
  `  - {name: bench/${name}, display_name: ${name}, description: made up, creator_organization_name: bench, access: open, release_date: 2024-01-01, tags: [TEXT_MODEL_TAG, FULL_FUNCTIONALITY_TEXT_MODEL_TAG]}\n`

/** A folder for each side, so that neither finds what the other stored. */
const prepare = (root: string, side: string, url: string, slow: string): void => {
  const cwd = join(root, side)
  for (const [folder, target] of [
    ['fast', url],
    ['slow', slow],
  ] as const) {
    mkdirSync(join(cwd, folder), { recursive: true })
    const names = ['one', ...JUDGES]
    writeFileSync(
      join(cwd, folder, 'model_deployments.yaml'),
      `model_deployments:\n${names.map((name) => deployment(name, target)).join('')}`,
    )
    writeFileSync(join(cwd, folder, 'model_metadata.yaml'), `models:\n${names.map(metadata).join('')}`)
  }
  const judge = (name: string): string =>
    `  - {name: ${name}, model: bench/${name}, model_deployment: bench/${name}}\n`
  writeFileSync(join(cwd, 'judges.yaml'), `judges:\n${JUDGES.map(judge).join('')}`)
  writeHelmSuite(join(cwd, 'made'), 'made', { scenarios: 12, models: 3, instances: 1000 })
}

const entry = [
  '--run-entries',
  `pubmed_qa:${MODEL}`,
  '--suite',
  's',
  '-m',
  '1000',
  '--local-path',
  'fast',
  '-o',
  'out',
]
const judged = [
  '--run-entries',
  `medication_qa:jury_config_path=judges.yaml,${MODEL}`,
  '--suite',
  'j',
  '-m',
  '375',
  '-n',
  '64',
  '--local-path',
  'slow',
  '-o',
  'out',
]
const summary = ['--suite', 'made', '-o', 'made']
const ours = ['--mirror', mirror]

const jobs = (root: string): readonly Job[] => [
  { name: 'help', ours: ['medmake', '--help'], helm: ['helm-run', '--help'] },
  {
    name: '1,000 pubmed_qa, cold, server at 0 ms',
    ours: ['helm-run', ...entry, ...ours],
    helm: ['helm-run', ...entry],
  },
  {
    name: 'the same, finished',
    ours: ['helm-run', ...entry, ...ours],
    helm: ['helm-run', ...entry, '--skip-completed-runs'],
  },
  {
    name: 'the same, results rewritten from what is stored',
    ours: ['helm-run', ...entry, ...ours],
    helm: ['helm-run', ...entry],
    before: (side) => rmSync(join(root, side, 'out/runs'), { recursive: true, force: true }),
  },
  {
    name: '1,500 calls with a jury at 50 ms, 64 in flight (limit 1.2 s)',
    ours: ['helm-run', ...judged, ...ours],
    helm: ['helm-run', ...judged],
  },
  {
    name: '36 runs of 1,000 summarised',
    ours: ['helm-summarize', ...summary],
    helm: ['helm-summarize', ...summary],
  },
]

const timed = async (command: readonly string[], cwd: string): Promise<number> => {
  const [program = '', ...args] = command
  const started = performance.now()
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${said}`)
  return (performance.now() - started) / 1000
}

const least = (values: readonly number[]): number => Math.min(...values)

const fast = await serve(0)
const slow = await serve(50)
const root = mkdtempSync(join(tmpdir(), 'medmake-helm-'))
try {
  const [cpu] = cpus()
  process.stdout.write(`${cpu?.model ?? ''}, ${cpus().length} cores, Node ${process.versions.node}\n`)
  const all = new Map<string, { ours: number[]; helm: number[] }>()
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const side of ['ours', 'helm']) {
      rmSync(join(root, side), { recursive: true, force: true })
      prepare(root, side, fast.url, slow.url)
    }
    // Else the first job would wait for half a gigabyte of theirs.
    execFileSync('sync')
    for (const job of jobs(root)) {
      const found = all.get(job.name) ?? { ours: [], helm: [] }
      all.set(job.name, found)
      for (const side of ['ours', 'helm'] as const) {
        job.before?.(side)
        const [program = '', ...args] = job[side]
        const command =
          side === 'ours'
            ? [process.execPath, join(packageRoot(), 'dist', `${program}.js`), ...args]
            : ['bash', '-c', '. "$0" && exec "$@"', envFile, program, ...args]
        found[side].push(await timed(command, join(root, side)))
      }
      const [own, its] = [least(found.ours), least(found.helm)]
      process.stdout.write(
        `${job.name.padEnd(62)} ${own.toFixed(2)} s : ${its.toFixed(2)} s = 1 : ${(its / own).toFixed(1)}\n`,
      )
    }
  }
} finally {
  fast.end()
  slow.end()
  if (process.env['MEDMAKE_KEEP'] === undefined) rmSync(root, { recursive: true, force: true })
  else process.stdout.write(`${root}\n`)
}
