/** A number that a metric gives, as a reader needs to know it. */
export interface Measure {
  /** HELM's name of the stat; `<…>` stands for a part that the run names. */
  readonly name: string
  readonly unit: string
  /** The least and the greatest value, ends included; null: no bound. */
  readonly least: number | null
  readonly most: number | null
  readonly better: 'higher' | 'lower' | 'neither'
  /** What one value is of. */
  readonly of: 'instance' | 'split'
  /** Shown to readers. */
  readonly displayName: string
  /** Over columns; the display name where absent. */
  readonly shortDisplayName?: string
  readonly description: string
  /** The metric group of generated schemas that it stands in. */
  readonly group?: string
  /** HELM's generated schemas lack it: they lose its column. */
  readonly unlisted?: true
  /** Computed only where the workspace has an encoder. */
  readonly needs?: 'encoder'
  /** Compares whole texts: what clinicians said of an answer is held against it. */
  readonly ofTexts?: true
  /** The measure that HELM's tables show where a run lacks this one. */
  readonly standIn?: string
}
