import { token } from './request.js'

export { token }

const common = { amount: '100.00', merchantAccountNumber: '102551', clientTimeStamp: 1709912345678 }
const sid = '5f0c5f4e-9c0b-4a43-8d6e-0d9f3d0a7b11'
const ascii = { ...common, sid, orderId: 'ORDER-12345' }
const nonAscii = { ...common, sid: `جلسة-${sid}`, orderId: 'طلب-12345' }

const refund = { operationType: 'refund', transactionFCRN: '987654' }
const voided = { operationType: 'void', transactionFCRN: '987654' }
const inquiry = { operationType: 'inquiry', transactionId: 'ORDER-12345', idType: 'ORDER_ID' }
const transactionFCRN = 'مرجع-987654'
const transactionId = 'طلب-12345'

/** What is signed. The literals were computed by another program. */
export const cases = [
  {
    variant: 'A',
    text: 'ASCII',
    operation: 'purchase',
    request: { ...ascii, operationType: 'purchase' },
    signature: '8ffa2c87ec0ba39c3a775be930e10c6bebe869c0cfdad774f8cbd21523a6df9c///8f02e72c76b9776c9999cd0a4c41d836d5dae20d93656c4d118b426f05e81e52'
  },
  {
    variant: 'A',
    text: 'ASCII',
    operation: 'refund',
    request: { ...ascii, ...refund },
    signature: 'b48ba5eccb90cc4bfbeac3d802da3b5a95497f73c02b7f481377496443eaadf4///0ca1026396ff8c27d4f34071ba05e8cc6a7959b64cf5444f90cdd63ef54dafa8'
  },
  {
    variant: 'A',
    text: 'ASCII',
    operation: 'void',
    request: { ...ascii, ...voided },
    signature: 'cfa58deb6647de18c6fdc5c3182b3ef4e4309f655cd2c9c2a5106149d4f3019e///eedc6260c12943152c42927be6d786c2da75ca158acca394b5c326e0b710b602'
  },
  {
    variant: 'A',
    text: 'ASCII',
    operation: 'inquiry',
    request: { ...ascii, ...inquiry },
    signature: '286d07bc63189fbc2386a2aaaa719395ef2709c34d8b38f8e3e4362dbdb8a2c9///36145d1e56be5177378fc608c3c521481bee8bc5f29e7ba531de3230c7379626'
  },
  {
    variant: 'B',
    text: 'ASCII',
    operation: '',
    request: ascii,
    signature: '9c824b5d871e0bfc54aecc2254c682ebbac2ea0fba8cf6397fa16c970189efc9///0b08405881dd957b66677e8a40f4f63af960a206bbb0f7d8a5a57ef3a893f837'
  },
  {
    variant: 'A',
    text: 'non-ASCII',
    operation: 'purchase',
    request: { ...nonAscii, operationType: 'purchase' },
    signature: '01bad6bc47d208b8a0b139491a69d39c52c6c4898e0e5cd6220300e96182b029///2bec39b7c761e699e5511769f8ec76e8eb12231ec8c2cf7759cc1fbe99c7b092'
  },
  {
    variant: 'A',
    text: 'non-ASCII',
    operation: 'refund',
    request: { ...nonAscii, ...refund, transactionFCRN },
    signature: 'f568b3f526d792f0ac81a95bfdd9a24c387e7cff33237153d75ed8bfce9904fa///a6bcf84a0a98f1415ad42af60616d402bfa98fa79fd216a00775ed2d86d0aade'
  },
  {
    variant: 'A',
    text: 'non-ASCII',
    operation: 'void',
    request: { ...nonAscii, ...voided, transactionFCRN },
    signature: '0c59c9471d3a80ca2228071b9570b994fc417e1a54436c445476194f1c540cf9///8896e9573eaacc7431139f694b8f03f714566a45e3d013e711bd9c08409e7108'
  },
  {
    variant: 'A',
    text: 'non-ASCII',
    operation: 'inquiry',
    request: { ...nonAscii, ...inquiry, transactionId },
    signature: '673588aa466efafa69f353c6833193e6bc814d95b14547aaf42b1344a8f3338c///e457a067954c4298161af0b67f27790dd0291d99567582108403da623b5e641a'
  },
  {
    variant: 'B',
    text: 'non-ASCII',
    operation: '',
    request: { ...nonAscii, sid },
    signature: 'da3ebad5480e1257b6e8951952dcd0bbe11486442486d8778f55f47b8038fc22///af12e1ec67c2bba32dbbacec383a4965ba9bf8f171ed14fa1aaaabfb452702df'
  }
]
