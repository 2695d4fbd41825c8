import { stated } from '../../declaration/attributes.ts'
import type { SourceData } from '../../declaration/data/scenario-data.ts'
import type { ScenarioVersion } from '../../declaration/scenario-module.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { gradedChats } from '../health_bench/graded-chats.ts'

/** What its publisher tells of each chat. */
const FACTS = ['specialty', 'use_case', 'difficulty', 'type'] as const

/**
 * HealthBench Professional's chats, each with its rubric and a physician's answer.
 * @throws ProblemError with row
 */
export const instances = (
  data: SourceData,
  args: ReadonlyMap<string, PyValue>,
  version: ScenarioVersion,
): Generator<DraftInstance> =>
  gradedChats(data, args, version, (row) => {
    const chat: PyValue | undefined = row.cells.get('conversation')
    const physician: PyValue | undefined = row.cells.get('physician_response')
    return {
      messages: chat instanceof Map ? chat.get('messages') : undefined,
      rubrics: row.cells.get('rubric_items'),
      extraData: new Map<string, PyValue>([
        ['prompt_id', row.cells.get('id') ?? null],
        ['physician_response', physician === undefined ? '' : physician],
      ]),
      attributes: Object.fromEntries(FACTS.map((column) => [column, stated(row, column)])),
    }
  })
