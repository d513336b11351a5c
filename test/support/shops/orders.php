<?php
function order_by_id(string $id): ?array
{
    if ($id === '666') throw new Exception('the database is away');
    $orders = ['1001' => [7, false], '1002' => [8, false], '1003' => [7, true], '1004' => [null, false]];
    if (!isset($orders[$id])) return null;
    [$user, $isPaid] = $orders[$id];
    return ['id' => (int) $id, 'user_id' => $user, 'cents' => 10000, 'is_paid' => $isPaid];
}
