<?php // The script that the signing service asks, for PHP 8.1 or newer, outside the web root. For nginx:
// include fastcgi_params; fastcgi_pass unix:/run/php/php-fpm.sock; fastcgi_param HTTPS on;
// fastcgi_param SCRIPT_FILENAME /srv/may-sign/may-sign.php; fastcgi_param HTTP_HOST shop.example;
require __DIR__ . '/orders.php'; // yours: order_by_id(string) returns an array or null
const ACCOUNT_NUMBER = '102551'; // yours
function answer(int $status, array $decision): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    exit(json_encode($decision));
}
function refuse(int $status, string $code): never
{
    answer($status, ['allowed' => false, 'code' => $code]);
}
if (isset($_COOKIE[session_name()])) @session_start(['read_and_close' => true]); // a malformed cookie is a stranger's
$asked = json_decode(file_get_contents('php://input'), true, 8, JSON_THROW_ON_ERROR);
$user = $_SESSION['user_id'] ?? null; // yours
if ($asked['caller'] !== 'anonymous') answer(200, ['allowed' => true]); // has an API key: the policy decides
$id = $asked['orderId'] ?? '';
$isId = preg_match('/\A[1-9][0-9]{0,8}\z/', $id) === 1; // yours: the ids that the database accepts
$order = $isId ? order_by_id($id) : null; // for strangers, too: so the alert sees an outage of the database
if ($user === null) refuse(401, 'LOG_IN');
$isExpected = ($asked['operationType'] ?? 'purchase') === 'purchase' && $order !== null &&
    (string) $order['id'] === $id && $order['user_id'] !== null && (string) $order['user_id'] === (string) $user &&
    $asked['merchantAccountNumber'] === ACCOUNT_NUMBER &&
    ($asked['amount'] ?? '') === number_format($order['cents'] / 100, 2, '.', '');
if (!$isExpected) refuse(403, 'NOT_YOUR_ORDER');
if ($order['is_paid']) refuse(409, 'ALREADY_PAID');
answer(200, ['allowed' => true]);
