"""The terminal face: `app` wires, `screens` coordinate, `widgets` show. Calls the facade only."""
