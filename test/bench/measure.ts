import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'

/** One run of a program. */
export interface Sample {
  /** Wall clock, from start to exit. */
  readonly seconds: number
  /** CPU seconds of the program and its threads. */
  readonly cpu: number
  /** Largest resident set, 10^6 bytes. */
  readonly megabytes: number
  readonly stdout: string
}

/** Runs a script with this Node until it ends. @throws Error when it fails, with what it said */
export const runOnce = async (
  script: string,
  args: readonly string[],
  { cwd }: { readonly cwd: string },
): Promise<Sample> => {
  const note = join(cwd, 'peak.txt')
  const hook = join(cwd, 'peak.mjs')
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs'
const own = process.argv[1]
process.on('exit', () => {
  if (own === ${JSON.stringify(script)}) writeFileSync(${JSON.stringify(note)}, JSON.stringify(process.resourceUsage()))
})
`,
  )
  const started = performance.now()
  const { stdout } = await execa(process.execPath, ['--import', hook, script, ...args], {
    cwd,
    env: { NO_COLOR: '1' },
  })
  const seconds = (performance.now() - started) / 1000
  const used = JSON.parse(readFileSync(note, 'utf8')) as NodeJS.ResourceUsage
  rmSync(note)
  const cpu = (used.userCPUTime + used.systemCPUTime) / 1e6
  return { seconds, cpu, megabytes: (used.maxRSS * 1024) / 1e6, stdout }
}

/** The same run several times over. */
export const runTimes = async (
  count: number,
  ...run: Parameters<typeof runOnce>
): Promise<readonly Sample[]> => {
  const samples: Sample[] = []
  for (let index = 0; index < count; index += 1) samples.push(await runOnce(...run))
  return samples
}

export const least = (values: readonly number[]): number => Math.min(...values)

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
