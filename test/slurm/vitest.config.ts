import { defineConfig } from 'vitest/config'
import config from '../../vitest.config.ts'

// A step of its own: it takes a minute of waiting for Slurm's timeouts.
export default defineConfig({ test: { ...config.test, include: ['test/slurm/*.slurm.ts'] } })
