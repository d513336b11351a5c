<?php
function order_by_id(string $id): ?array
{
    if ($id === '666' || (int) $id > 2 ** 31 || !ctype_digit($id)) throw new Exception('an error of the database');
    $orders = ['1001' => [7, false], '1002' => [8, false], '1003' => [7, true], '1004' => [null, false]];
    if (!isset($orders[$id])) return null;
    [$user, $isPaid] = $orders[$id];
    return ['id' => (int) $id, 'user_id' => $user, 'cents' => 10000, 'is_paid' => $isPaid];
}
