import { operations, PAYMENTS_A_PAGE } from '../../payments-api/payments-api.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { implement } from '../engine/http/operation.ts'
import { showPayer } from '../receiving/static-charge.ts'

/** List Static Charge Payments: lists a Static Charge's payments, slot by slot. */
export const listStaticChargePayments = implement(
  operations.listStaticChargePayments,
  async ({ params, caller, parts }) => {
    const { read } = parts.database
    const charge = await read.staticCharge.findUnique({ where: { id: params.id } })
    if (charge === null || charge.projectId !== caller.projectId) {
      throw new ServiceRefusal(
        'not_found',
        'This project has no Static Charge with this id. Check the id and the API key.',
      )
    }
    const found = await read.staticChargePayment.findMany({
      where: { staticChargeId: charge.id, slot: { gt: Number(params.after) } },
      orderBy: { slot: 'asc' },
      take: PAYMENTS_A_PAGE,
    })
    const payments = found.map(({ id, slot, amount, comment, settledAt, ...payer }) => ({
      ...{ id, slot, comment },
      amount: amount.toString(),
      settledAt: settledAt.toISOString(),
      ...showPayer(payer),
    }))
    return { message: 'Payments retrieved.', data: { payments } }
  },
)
