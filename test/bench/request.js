/** Has the length of the token that the README generates. Production refuses the development token. */
export const token = 'benchmark-only-token-with-as-many-characters-as-32-bytes-in-hexa'

export const path = '/api/generate-signature'

export const body = JSON.stringify({
  operationType: 'purchase',
  amount: '100.00',
  merchantAccountNumber: '102551',
  orderId: 'ORDER-12345',
  sid: '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11',
  clientTimeStamp: 1709912345678
})

/** Signature of the body. */
export const signature = '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c///' +
  '8f02e72c76b9776c9999cd0a4c41d836d5dae20d93656c4d118b426f05e81e52'
