"""Orders of a shop in Python, as the module `shop` that its view imports."""
import sys
import types
from decimal import Decimal

orders = {
    number: types.SimpleNamespace(id=number, user_id=user_id, total=Decimal(100), is_paid=is_paid)
    for number, user_id, is_paid in [(1001, 7, False), (1002, 8, False), (1003, 7, True), (1004, None, False)]
}


def order_by_id(number):
    if number == "666":
        raise OSError("the database is away")
    return orders.get(int(number))


sys.modules["shop"] = sys.modules[__name__]
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True  # in the folder of the view
