<?php // The script that the signing service asks. order_by_id(string) returns an array or null.
require __DIR__ . '/orders.php'; // yours: order_by_id()
const ACCOUNT_NUMBER = '102551'; // yours
function answer(int $status, string $code): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit($status === 204 ? '' : json_encode(['allowed' => false, 'code' => $code]));
}
session_start(['read_and_close' => true]); // without a wait for other requests of this session
$asked = json_decode(file_get_contents('php://input'), true, 8, JSON_THROW_ON_ERROR);
$user = $_SESSION['user_id'] ?? null; // yours
if ($asked['caller'] !== 'anonymous') answer(204, ''); // has an API key: the policy decides
$id = $asked['orderId'] ?? '';
$order = order_by_id($id); // for strangers, too: so the alert sees an outage of the database
if ($user === null) answer(401, 'LOG_IN');
$isExpected = $order !== null && $asked['operationType'] === 'purchase' && (string) $order['id'] === $id &&
    $order['user_id'] !== null && (string) $order['user_id'] === (string) $user &&
    $asked['merchantAccountNumber'] === ACCOUNT_NUMBER &&
    ($asked['amount'] ?? '') === number_format($order['cents'] / 100, 2, '.', '');
if (!$isExpected) answer(403, 'NOT_YOUR_ORDER');
if ($order['is_paid']) answer(409, 'ALREADY_PAID');
answer(204, '');
