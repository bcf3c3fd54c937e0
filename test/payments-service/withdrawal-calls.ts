import type { RawAnswer, ServiceWorld, TestProject } from './harness.ts'

/** Calls of the withdrawal-request operations by a project, or by another project given as `by`. */
export class WithdrawalCalls {
  readonly #world: ServiceWorld
  readonly #project: TestProject

  constructor(world: ServiceWorld, project: TestProject) {
    this.#world = world
    this.#project = project
  }

  create(body: object, headers: Record<string, string> = {}): Promise<RawAnswer> {
    return this.#world.raw('POST', '/v0/withdrawal-requests', { apiKey: this.#project.apiKey, body, headers })
  }

  retrieve(id: string, by: TestProject = this.#project): Promise<RawAnswer> {
    return this.#world.raw('GET', `/v0/withdrawal-requests/${id}`, { apiKey: by.apiKey })
  }

  balance(): Promise<bigint> {
    return this.#world.balance({ kind: 'project', id: this.#project.projectId })
  }
}
