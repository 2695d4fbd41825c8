import type { Built } from '../../targets/runs/built.ts'
import type { Run } from '../../targets/runs/run.ts'
import { storedRuns } from '../../targets/runs/stored-run.ts'
import type { Session } from './session.ts'

/** Runs as the session's store holds them, under the workspace's floors and margins. */
export const sessionRuns = ({
  env,
  registry,
  workspace: { config },
}: Pick<Session, 'env' | 'registry' | 'workspace'>): ((built: Built) => Run) =>
  storedRuns({ env, registry, coverageFloor: config.coverage_floor, margins: config.margins })
