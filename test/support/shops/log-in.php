<?php
session_start();
$_SESSION['user_id'] = (int) ($_GET['user'] ?? 7);
