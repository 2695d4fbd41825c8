import type { SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { gradedChats } from './graded-chats.ts'

/**
 * HealthBench's chats, each with its rubric; what its authors say before each chat stands in `system_message`.
 * @throws ProblemError with row
 */
export const instances = (
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
  version: ScenarioVersion,
): Generator<DraftInstance> =>
  gradedChats(data, args, version, ({ cells }) => ({
    messages: cells.get('prompt'),
    rubrics: cells.get('rubrics'),
    extraData: new Map<string, PyValue>([
      ['example_tags', cells.get('example_tags') ?? []],
      ['prompt_id', cells.get('prompt_id') ?? null],
    ]),
  }))
