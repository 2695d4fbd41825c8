import { startCompare } from '../pages/compare/app.tsx'
import { startInstances } from '../pages/run/app.tsx'
import { startPage } from './start-page.ts'

// The script of pages that show answers: runs and comparisons.
startPage({ instances: startInstances, compare: startCompare })
