#!/usr/bin/env node
import { keepCompiled } from './keep-compiled.ts'

keepCompiled()
void import('./start.ts').then(({ start }) => start('summarize'))
