#!/usr/bin/env node
import { keepCompiled } from './keep-compiled.ts'

keepCompiled()
void import('./main.ts').then(({ start }) => start('run'))
