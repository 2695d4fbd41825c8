import { join, sep } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'

/** Where the built-in benchmarks lie. */
export const catalogFolder = (): string => join(packageRoot(), 'benchmarks', 'catalog')

/** Whether a file, by its full path, is a built-in benchmark's. */
export const isInCatalog = (file: string): boolean => file.startsWith(catalogFolder() + sep)
