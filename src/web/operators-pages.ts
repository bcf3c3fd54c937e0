import type { FastifyInstance } from 'fastify'
import type { Console } from './console/console.ts'
import { addConsole } from './console/routes.ts'
import { addOperatorsPage, type OperatorsPage } from './operators-page/routes.ts'

/** All that operators have in a browser: figures, and the console. */
export interface OperatorsPages {
  readonly page: OperatorsPage
  readonly console: Console
}

/** `publicUrl` is where browsers reach these routes, where known. */
export function addOperatorsPages(app: FastifyInstance, pages: OperatorsPages, publicUrl: string | undefined): void {
  addOperatorsPage(app, pages.page, publicUrl)
  addConsole(app, pages.console, publicUrl)
}
