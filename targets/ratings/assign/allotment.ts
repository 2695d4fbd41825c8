import type { StudyUnit } from '../study.ts'

/** The model and third that a unit was first drawn for. */
export const stratumOf = ({ drawn: [first] }: StudyUnit): string => (first ?? []).join(' ')

/** What raters are to have equal numbers of: units, those of a model, of a third, and of both. */
export const groupsOf = (unit: StudyUnit): readonly string[] => {
  const [frame, third] = unit.drawn[0] ?? []
  return ['all', `model ${frame}`, `third ${unit.benchmark} ${third}`, stratumOf(unit)]
}

/** What a rater has to rate. */
export class Allotment {
  readonly name: string
  readonly before: readonly number[]
  readonly #added = new Set<number>()
  readonly #own = new Set<number>()
  readonly #instances = new Map<string, number>()
  readonly #groups = new Map<string, number>()

  constructor(name: string, units: readonly StudyUnit[], before: readonly number[]) {
    this.name = name
    this.before = before
    const byNumber = new Map(units.map((unit) => [unit.number, unit]))
    for (const number of before) {
      const unit = byNumber.get(number)
      if (unit !== undefined) this.#count(unit, 1)
    }
  }

  /** What it got beyond what it had. */
  get added(): readonly number[] {
    return [...this.#added]
  }

  get size(): number {
    return this.#own.size
  }

  has(number: number): boolean {
    return this.#own.has(number)
  }

  canDrop({ number }: StudyUnit): boolean {
    return this.#added.has(number)
  }

  ofInstance({ instance }: StudyUnit): number {
    return this.#instances.get(instance) ?? 0
  }

  of(group: string): number {
    return this.#groups.get(group) ?? 0
  }

  take(unit: StudyUnit): void {
    this.#added.add(unit.number)
    this.#count(unit, 1)
  }

  /** Gives back what it took; what it had before stays. */
  drop(unit: StudyUnit): void {
    this.#added.delete(unit.number)
    this.#count(unit, -1)
  }

  #count(unit: StudyUnit, by: 1 | -1): void {
    if (by === 1) this.#own.add(unit.number)
    else this.#own.delete(unit.number)
    this.#instances.set(unit.instance, this.ofInstance(unit) + by)
    for (const group of groupsOf(unit)) this.#groups.set(group, this.of(group) + by)
  }
}
